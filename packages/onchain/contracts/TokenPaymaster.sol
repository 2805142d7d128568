// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {IPaymaster, PackedUserOperation} from "./interfaces/ERC4337.sol";
import {IRoles} from "./interfaces/IRoles.sol";
import {IStakeManager} from "./interfaces/IStakeManager.sol";

/// @title Pays gas and takes a token for it
/// @notice An account approves, as the first call of an operation, the most that the operation can cost. After its calls
/// this contract takes what the gas costs at the rate that the operator signed, and the account with it.
///
/// What each can take:
/// - this contract: tokens that an account approved, in {postOp} of an operation that this account signed, at most
///   (gas limits + extraGas) × maxFeePerGas × rate of that operation; at no other time;
/// - an operator of SmartBalance: the gas deposit, by signing for operations that do not pay;
/// - the owner of SmartBalance: the gas deposit, the stake, and the tokens that were taken;
/// - an account that does not pay (its calls revert, or spend the tokens): the gas of that operation, once for each
///   signature of the operator.
///
/// One contract for each EntryPoint (v0.7, v0.8). Not upgradable, no storage of its own. Not audited.
contract TokenPaymaster is IPaymaster {
    using SafeERC20 for IERC20;

    /// @notice Thrown if the caller is not EntryPoint.
    error NotEntryPoint(address caller);

    /// @notice Thrown if the caller is not the owner of SmartBalance.
    error NotOwner(address caller);

    /// @notice Thrown if paymasterAndData does not have DATA_LENGTH bytes.
    error MalformedPaymasterData();

    /// @notice The account has paid.
    /// @param amount Base units of `token`.
    event FeePaid(bytes32 indexed userOpHash, address indexed account, address indexed token, uint256 amount);

    /// @dev What the operator signs. `entryPoint` needs no field: the domain names this contract, which has one.
    bytes32 public constant FEE_TYPEHASH = keccak256(
        "TokenFee(address account,uint256 nonce,bytes32 initCodeHash,bytes32 callDataHash,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes32 paymasterGasLimits,address token,uint128 rate,uint32 extraGas,uint48 validUntil)"
    );
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant NAME_HASH = keccak256("TokenPaymaster");
    bytes32 private constant VERSION_HASH = keccak256("1");

    /// @notice Length of paymasterAndData: this contract (20), its gas limits (16 + 16), token (20), rate (16),
    /// extraGas (4), validUntil (6), the operator's signature (65).
    uint256 public constant DATA_LENGTH = 163;

    /// @dev `rate` is for 1 ether.
    uint256 private constant ETHER = 1e18;

    /// @dev EntryPoint v0.7 charges a tenth of the unused call and postOp gas after postOp, v0.8 the calls' share before it.
    uint256 private constant PENALTY_DIVISOR = 10;

    /// @notice EntryPoint v0.7 or v0.8.
    address public immutable ENTRY_POINT;

    /// @notice Whose owner and operators count here.
    IRoles public immutable SMART_BALANCE;

    /// @notice Whether ENTRY_POINT charges unused call gas after postOp.
    bool public immutable PENALTY_FOLLOWS;

    /// @dev Handed from validation to {postOp}.
    struct Charge {
        bytes32 userOpHash;
        address account;
        IERC20 token;
        /// Base units of the token for 1 ether.
        uint256 rate;
        uint256 maxFeePerGas;
        /// callGasLimit and paymasterPostOpGasLimit.
        uint256 callGas;
        uint256 postOpGas;
        /// The most that EntryPoint charges before the calls run.
        uint256 maxPreOpGas;
        uint256 extraGas;
    }

    /// @dev One in the order of FEE_TYPEHASH; a struct, because its abi.encode uses no stack.
    struct EncodedFee {
        bytes32 typeHash;
        address account;
        uint256 nonce;
        bytes32 initCodeHash;
        bytes32 callDataHash;
        bytes32 accountGasLimits;
        uint256 preVerificationGas;
        bytes32 gasFees;
        bytes32 paymasterGasLimits;
        address token;
        uint128 rate;
        uint32 extraGas;
        uint48 validUntil;
    }

    modifier onlyEntryPoint() {
        if (msg.sender != ENTRY_POINT) revert NotEntryPoint(msg.sender);
        _;
    }

    modifier onlyOwner() {
        if (msg.sender != SMART_BALANCE.owner()) revert NotOwner(msg.sender);
        _;
    }

    constructor(address entryPoint, IRoles smartBalance, bool penaltyFollows) {
        ENTRY_POINT = entryPoint;
        SMART_BALANCE = smartBalance;
        PENALTY_FOLLOWS = penaltyFollows;
    }

    /// @inheritdoc IPaymaster
    /// @dev Reads neither the clock (ERC-7562 OP-011) nor the account's tokens: the service simulates the whole operation
    /// before it sends it, and a check here would make a bundle revert where now only the operation fails. A wrong
    /// signature returns SIG_VALIDATION_FAILED after all other steps, so that an estimate with a stub measures the
    /// complete path. Reverts with NotEntryPoint, MalformedPaymasterData.
    function validatePaymasterUserOp(PackedUserOperation calldata userOp, bytes32 userOpHash, uint256)
        external
        view
        onlyEntryPoint
        returns (bytes memory context, uint256 validationData)
    {
        bytes calldata data = userOp.paymasterAndData;
        if (data.length != DATA_LENGTH) revert MalformedPaymasterData();
        bytes32 paymasterGasLimits = bytes32(data[20:52]);
        uint48 validUntil = uint48(bytes6(data[92:98]));
        EncodedFee memory fee = EncodedFee({
            typeHash: FEE_TYPEHASH,
            account: userOp.sender,
            nonce: userOp.nonce,
            initCodeHash: keccak256(userOp.initCode),
            callDataHash: keccak256(userOp.callData),
            accountGasLimits: userOp.accountGasLimits,
            preVerificationGas: userOp.preVerificationGas,
            gasFees: userOp.gasFees,
            paymasterGasLimits: paymasterGasLimits,
            token: address(bytes20(data[52:72])),
            rate: uint128(bytes16(data[72:88])),
            extraGas: uint32(bytes4(data[88:92])),
            validUntil: validUntil
        });
        context = abi.encode(
            Charge({
                userOpHash: userOpHash,
                account: fee.account,
                token: IERC20(fee.token),
                rate: fee.rate,
                maxFeePerGas: uint128(uint256(fee.gasFees)),
                callGas: uint128(uint256(fee.accountGasLimits)),
                postOpGas: uint128(uint256(paymasterGasLimits)),
                maxPreOpGas: fee.preVerificationGas + (uint256(fee.accountGasLimits) >> 128)
                    + (uint256(paymasterGasLimits) >> 128),
                extraGas: fee.extraGas
            })
        );
        (address operator,,) = ECDSA.tryRecover(_digest(fee), data[98:]);
        bool approved = operator != address(0) && SMART_BALANCE.isOperator(operator);
        // ERC-4337: uint48 validAfter, uint48 validUntil, then 1 for a wrong signature.
        validationData = uint256(validUntil) << 160 | (approved ? 0 : 1);
    }

    /// @inheritdoc IPaymaster
    /// @dev If the tokens cannot be taken, this reverts: EntryPoint then undoes the calls, and this contract bears the gas.
    /// What arrives is not compared with what was taken: if a token began to take a part of each transfer, that would turn
    /// a small loss into the whole gas of every operation. Reverts with NotEntryPoint, SafeERC20FailedOperation, or with
    /// the token's error.
    function postOp(PostOpMode, bytes calldata context, uint256 actualGasCost, uint256 actualUserOpFeePerGas)
        external
        onlyEntryPoint
    {
        Charge memory charge = abi.decode(context, (Charge));
        uint256 gas = actualUserOpFeePerGas == 0 ? 0 : actualGasCost / actualUserOpFeePerGas;
        uint256 cost = (_finalGas(charge, gas) + charge.extraGas) * _price(charge, actualUserOpFeePerGas);
        uint256 amount = (cost * charge.rate + ETHER - 1) / ETHER;
        emit FeePaid(charge.userOpHash, charge.account, address(charge.token), amount);
        charge.token.safeTransferFrom(charge.account, address(this), amount);
    }

    /// @dev What EntryPoint will have charged in the end, at most: this function's limit, and on v0.7 a tenth of the unused
    /// call gas, for which the calls count as if validation had used its limits. Never more than all limits.
    function _finalGas(Charge memory charge, uint256 gas) private view returns (uint256 total) {
        total = gas + charge.postOpGas;
        if (PENALTY_FOLLOWS) {
            uint256 used = gas > charge.maxPreOpGas ? gas - charge.maxPreOpGas : 0;
            if (charge.callGas > used) total += (charge.callGas - used) / PENALTY_DIVISOR;
        }
        uint256 limit = charge.maxPreOpGas + charge.callGas + charge.postOpGas;
        if (total > limit) total = limit;
    }

    /// @dev The transaction's price where its sender adds to the operation's tip, up to the cap that the account signed.
    function _price(Charge memory charge, uint256 operationPrice) private view returns (uint256) {
        if (tx.gasprice <= operationPrice) return operationPrice;
        return tx.gasprice < charge.maxFeePerGas ? tx.gasprice : charge.maxFeePerGas;
    }

    function _digest(EncodedFee memory fee) private view returns (bytes32) {
        bytes32 domain =
            keccak256(abi.encode(DOMAIN_TYPEHASH, NAME_HASH, VERSION_HASH, block.chainid, address(this)));
        return MessageHashUtils.toTypedDataHash(domain, keccak256(abi.encode(fee)));
    }

    /// @notice Pays out tokens that were taken. Reverts with NotOwner, or with the token's error.
    /// @param amount Base units.
    function withdrawToken(IERC20 token, address to, uint256 amount) external onlyOwner {
        token.safeTransfer(to, amount);
    }

    /// @notice Adds the sent value to the gas deposit. Anyone may call it.
    function depositGas() external payable {
        IStakeManager(ENTRY_POINT).depositTo{value: msg.value}(address(this));
    }

    /// @notice Reverts with NotOwner, or with EntryPoint's error.
    /// @param amount In wei.
    function withdrawGas(address payable to, uint256 amount) external onlyOwner {
        IStakeManager(ENTRY_POINT).withdrawTo(to, amount);
    }

    /// @notice Adds the sent value to the stake, which other bundlers ask for because validation reads SmartBalance
    /// (ERC-7562 STO-033). Reverts with NotOwner, or with EntryPoint's error.
    function addStake(uint32 unstakeDelaySec) external payable onlyOwner {
        IStakeManager(ENTRY_POINT).addStake{value: msg.value}(unstakeDelaySec);
    }

    /// @notice Reverts with NotOwner, or with EntryPoint's error.
    function unlockStake() external onlyOwner {
        IStakeManager(ENTRY_POINT).unlockStake();
    }

    /// @notice Reverts with NotOwner, or with EntryPoint's error.
    function withdrawStake(address payable to) external onlyOwner {
        IStakeManager(ENTRY_POINT).withdrawStake(to);
    }
}
